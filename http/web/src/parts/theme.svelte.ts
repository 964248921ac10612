// Light or dark: as the reader chose, else as the system says.
import { recall, remember } from "../diary/memory";

export type Choice = "auto" | "light" | "dark";
const system = typeof matchMedia === "undefined" ? null : matchMedia("(prefers-color-scheme: dark)");
const kept = recall("theme");
export const theme = $state<{ choice: Choice; systemDark: boolean }>({
  choice: kept === "light" || kept === "dark" ? kept : "auto",
  systemDark: system?.matches ?? false,
});
system?.addEventListener("change", (change) => (theme.systemDark = change.matches));

export function isDark(): boolean {
  return theme.choice === "dark" || (theme.choice === "auto" && theme.systemDark);
}
export function chooseTheme(choice: Choice): void {
  theme.choice = choice;
  remember("theme", choice === "auto" ? null : choice);
}
