// The address: what is shown is in the hash, so that it can be shared and survives a reload.
//   #/                                    games
//   #/game/G/B/123/log?unit=39Pz          branch B of game G after event 123, the log open
//   #/game/G/B/live/map                   following the last event
//   #/join/G/TOKEN/axis                   an invitation

export const TABS = ["log", "details", "charts", "dice", "branches", "orders", "audit"] as const;
export type Tab = (typeof TABS)[number];

export type Route =
  | { page: "games" }
  | { page: "join"; game: string; token: string; label: string }
  | { page: "game"; game: string; branch: string | null; at: number | "live"; tab: Tab; focus: string | null; against: string | null };

export function readRoute(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#/, "").split("?");
  const parts = path.split("/").filter(Boolean).map(decode);
  if (parts[0] === "join" && parts[1] && parts[2]) {
    return { page: "join", game: parts[1], token: parts[2], label: parts[3] ?? "" };
  }
  if (parts[0] !== "game" || !parts[1]) return { page: "games" };
  const at = Number.parseInt(parts[3] ?? "", 10);
  const tab = TABS.find((one) => one === parts[4]) ?? "log";
  const params = new URLSearchParams(query);
  return {
    page: "game",
    game: parts[1],
    branch: parts[2] && parts[2] !== "-" ? parts[2] : null,
    at: Number.isFinite(at) && at >= 0 ? at : "live",
    tab,
    focus: params.get("focus"),
    against: params.get("against"),
  };
}

export function writeRoute(route: Route): string {
  switch (route.page) {
    case "games":
      return "#/";
    case "join":
      return `#/join/${[route.game, route.token, route.label].map(encodeURIComponent).join("/")}`;
    case "game": {
      const path = [route.game, route.branch ?? "-", String(route.at), route.tab];
      const params = new URLSearchParams();
      if (route.focus) params.set("focus", route.focus);
      if (route.against) params.set("against", route.against);
      const query = params.toString();
      return `#/game/${path.map(encodeURIComponent).join("/")}${query ? `?${query}` : ""}`;
    }
  }
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
