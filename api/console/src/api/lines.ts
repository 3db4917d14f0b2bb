// Server-Sent Events from the pieces of an answer's body (WHATWG HTML, 9.2.6), as far as the service uses them.

export interface Message {
  event: string;
  data: unknown;
  id: string;
}

/** A parser that takes text in pieces, cut anywhere, and returns the complete messages. */
export class MessageParser {
  #tail = "";
  #event = "";
  #data: string[] = [];
  #id = "";

  push(text: string): Message[] {
    const lines = (this.#tail + text).split("\n");
    this.#tail = lines.pop()!;
    return lines.flatMap((line) => this.#line(line.endsWith("\r") ? line.slice(0, -1) : line));
  }

  #line(line: string): Message[] {
    if (line === "") return this.#dispatch();
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + (line[colon + 1] === " " ? 2 : 1));
    if (field === "event") this.#event = value;
    else if (field === "data") this.#data.push(value);
    else if (field === "id") this.#id = value;
    return [];
  }

  #dispatch(): Message[] {
    const [event, data] = [this.#event, this.#data];
    this.#event = "";
    this.#data = [];
    if (data.length === 0) return [];
    return [{ event: event || "message", data: JSON.parse(data.join("\n")) as unknown, id: this.#id }];
  }
}
