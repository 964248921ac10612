import { describe, expect, it } from "vitest";
import { Client, messagesOf, Problem, type Fetch } from "./client";

function answering(status: number, body: unknown, seen: { path: string; init: RequestInit }[] = []): Fetch {
  return (path, init = {}) => {
    seen.push({ path, init });
    return Promise.resolve(new Response(typeof body === "string" ? body : JSON.stringify(body), { status }));
  };
}

describe("the client", () => {
  it("sends the seat's token and the key of an order", async () => {
    const seen: { path: string; init: RequestInit }[] = [];
    const client = new Client(() => "wd_secret", answering(200, { first: 5, last: 9, duplicate: false }, seen));
    const answer = await client.order("g", "b", { type: "Pass" }, 4, "key-1");
    expect(answer).toMatchObject({ last: 9 });
    const headers = new Headers(seen[0]!.init.headers);
    expect(seen[0]!.path).toBe("/games/g/branches/b/orders");
    expect(headers.get("Authorization")).toBe("Bearer wd_secret");
    expect(headers.get("Idempotency-Key")).toBe("key-1");
    expect(JSON.parse(String(seen[0]!.init.body))).toEqual({ order: { type: "Pass" }, expectedVersion: 4 });
  });
  it("tells a refusal with its code and rule", async () => {
    const client = new Client(() => undefined, answering(422, { code: "NO_COMMAND", title: "The rules do not allow it", detail: "no HQ commands it", rule: "5.2" }));
    const problem = await client.order("g", "b", { type: "MoveUnit" }, 4, "k").catch((error: unknown) => error);
    expect(problem).toBeInstanceOf(Problem);
    expect(problem).toMatchObject({ status: 422, code: "NO_COMMAND", rule: "5.2", detail: "no HQ commands it" });
  });
  it("survives an error that is not JSON, and a service that is away", async () => {
    await expect(new Client(() => undefined, answering(502, "bad gateway")).systems()).rejects.toMatchObject({ status: 502, code: "http_502" });
    await expect(new Client(() => undefined, () => Promise.reject(new TypeError("failed"))).systems()).rejects.toMatchObject({ code: "unreachable" });
  });
});

describe("server-sent events", () => {
  it("are put together from pieces", async () => {
    const pieces = ["id: 7\neve", "nt: version\ndata: {\"version\":7}\n\n: ping\n\nid: 8\nevent: version\nda", "ta: {\"version\":8}\n\n"];
    const body = new ReadableStream<Uint8Array>({
      start(control) {
        for (const piece of pieces) control.enqueue(new TextEncoder().encode(piece));
        control.close();
      },
    });
    const found = [];
    for await (const message of messagesOf(body)) found.push([message.id, message.event, message.data]);
    expect(found).toEqual([["7", "version", '{"version":7}'], ["8", "version", '{"version":8}']]);
  });
});
