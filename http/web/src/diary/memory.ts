// What this browser keeps between visits: language, theme, tokens of the games one plays in, drafts.
// Where storage is refused (private windows), it is kept for the visit only.

const visit = new Map<string, string>();

export function recall(key: string): string | null {
  try {
    return localStorage.getItem(`wardiary.${key}`);
  } catch {
    return visit.get(key) ?? null;
  }
}

export function remember(key: string, value: string | null): void {
  if (value === null) visit.delete(key);
  else visit.set(key, value);
  try {
    if (value === null) localStorage.removeItem(`wardiary.${key}`);
    else localStorage.setItem(`wardiary.${key}`, value);
  } catch {
    // Kept for the visit.
  }
}

export interface Ticket {
  token: string;
  label: string;
}

export function ticketsOf(game: string): Ticket[] {
  try {
    return JSON.parse(recall(`tickets.${game}`) ?? "[]") as Ticket[];
  } catch {
    return [];
  }
}
export function keepTicket(game: string, ticket: Ticket): void {
  const others = ticketsOf(game).filter((one) => one.token !== ticket.token);
  remember(`tickets.${game}`, JSON.stringify([...others, ticket]));
}
// The token in use for a game: the chosen one, "" for looking on as a spectator.
export function tokenInUse(game: string): string | undefined {
  const chosen = recall(`ticket.${game}`);
  if (chosen !== null) return chosen || undefined;
  return ticketsOf(game)[0]?.token;
}
export function useTicket(game: string, token: string): void {
  remember(`ticket.${game}`, token);
}
