// The grammar of the entry line, loaded after the first view: typing needs it, looking does not.
export { obey, openLine, pageNamed } from "./obey";
export { amend, amendedLine, diceOf, throwLike } from "./reading/amend";
export { commandOf } from "./reading/commands";
export { completions } from "./reading/complete";
export { kindsOf } from "./reading/kinds";
export { lex } from "./reading/lexer";
export { resolve, throws } from "./reading/resolve";
export { examples, nearest } from "./reading/suggest";
