// Words in the reader's language, from one catalogue per language. A message may hold {names}; a
// message with a count has the forms of its language as key.one, key.other. A rule system brings its
// own words in domain/systems/<system>/words/<language>.json; they come before the common ones.
import en from "./en.json";
import es from "./es.json";
import { recall, remember } from "../diary/memory";

export type Language = "en" | "es";
export const LANGUAGES: { id: Language; name: string }[] = [
  { id: "en", name: "English" },
  { id: "es", name: "Español" },
];
type Catalogue = Record<string, string>;
const CATALOGUES: Record<Language, Catalogue> = { en, es };

const files = import.meta.glob<Catalogue>("../../../../domain/systems/*/words/*.json", { eager: true, import: "default" });
// By system and language: "eastfront/es".
export const SYSTEM_WORDS: Record<string, Catalogue> = Object.fromEntries(
  Object.entries(files).map(([path, words]) => [path.replace(/^.*\/systems\/(.+)\/words\/(.+)\.json$/, "$1/$2"), words]),
);

function firstLanguage(): Language {
  const kept = recall("language");
  if (kept === "en" || kept === "es") return kept;
  const wish = typeof navigator === "undefined" ? "en" : navigator.language;
  return wish.toLowerCase().startsWith("es") ? "es" : "en";
}

// `system`: whose words come first, while one of its games is open.
export const speech = $state<{ language: Language; system: string }>({ language: firstLanguage(), system: "" });

export function speak(language: Language): void {
  speech.language = language;
  remember("language", language);
  if (typeof document !== "undefined") document.documentElement.lang = language;
}

export type Params = Record<string, string | number>;

export function fill(message: string, params: Params): string {
  return message.replace(/\{(\w+)\}/g, (all, name: string) => {
    const value = params[name];
    return value === undefined ? all : typeof value === "number" ? number(value) : value;
  });
}

export function t(key: string, params: Params = {}): string {
  return fill(find(key) ?? key, params);
}
// Chooses the plural form by `count`, which the message may also name.
export function tn(key: string, count: number, params: Params = {}): string {
  const form = new Intl.PluralRules(speech.language).select(count);
  const message = find(`${key}.${form}`) ?? find(`${key}.other`) ?? find(key) ?? key;
  return fill(message, { count, ...params });
}
// A word of a rule system ("blitz_movement"): from its catalogue or the common one, else made readable.
export function word(kind: string, id: string | null | undefined, system = speech.system): string {
  if (!id) return "";
  return find(`${kind}.${id}`, system) ?? find(`${kind}.${id.toLowerCase()}`, system) ?? readable(id);
}
export function has(key: string): boolean {
  return find(key) !== undefined;
}

function find(key: string, system = speech.system): string | undefined {
  return SYSTEM_WORDS[`${system}/${speech.language}`]?.[key] ?? CATALOGUES[speech.language][key] ??
    SYSTEM_WORDS[`${system}/en`]?.[key] ?? CATALOGUES.en[key];
}

export function readable(id: string): string {
  const spaced = id.replace(/_/g, " ").replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

export function number(value: number): string {
  return new Intl.NumberFormat(speech.language).format(value);
}
export function percent(share: number): string {
  return new Intl.NumberFormat(speech.language, { style: "percent", maximumSignificantDigits: 2 }).format(share);
}
export function when(ms: number): string {
  return new Intl.DateTimeFormat(speech.language, { dateStyle: "medium", timeStyle: "short" }).format(ms);
}
