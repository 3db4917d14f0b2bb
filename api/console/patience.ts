import { configure } from "@testing-library/svelte";

// Tests wait for their expectations. Only a hanging test takes so long, even on a busy machine.
configure({ asyncUtilTimeout: 60_000 });
