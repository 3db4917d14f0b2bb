import { describe, expect, it } from "vitest";
import { MessageParser, type Message } from "./lines";

const TOLD =
  'retry: 2000\n\nid: 7\nevent: state\ndata: {"state":{"seats":["ana"]}}\n\nid: 8\nevent: entry\ndata: {"sentence":"Ana pays ₦120."}\n\n: a comment\n\nid: 8\nevent: heartbeat\ndata: {"at":"2026-11-20T20:00:00Z"}\n\n';

const HEARD: Message[] = [
  { event: "state", data: { state: { seats: ["ana"] } }, id: "7" },
  { event: "entry", data: { sentence: "Ana pays ₦120." }, id: "8" },
  { event: "heartbeat", data: { at: "2026-11-20T20:00:00Z" }, id: "8" },
];

describe("a stream that is cut anywhere", () => {
  it("gives the same messages for every cut", () => {
    for (let at = 0; at <= TOLD.length; at++) {
      const parser = new MessageParser();
      expect([...parser.push(TOLD.slice(0, at)), ...parser.push(TOLD.slice(at))]).toEqual(HEARD);
    }
  });

  it("gives the same messages letter by letter, with the line ends of Windows", () => {
    const parser = new MessageParser();
    expect([...TOLD.replaceAll("\n", "\r\n")].flatMap((letter) => parser.push(letter))).toEqual(HEARD);
  });

  it("gives nothing of a message whose end did not come", () => {
    const parser = new MessageParser();
    expect(parser.push('id: 9\nevent: entry\ndata: {"sentence":"Bob')).toEqual([]);
  });
});
