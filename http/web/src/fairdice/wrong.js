// What is wrong, beginning with the path of the field.
export class Wrong extends Error {}

export const fail = (text) => { throw new Wrong(text); };
