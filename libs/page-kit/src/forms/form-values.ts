/** Reads a text of a body or a query by its name: the first of several, empty when it is missing. */
export function reader(fields: unknown): (name: string) => string {
  const sent = (fields ?? {}) as Readonly<Record<string, unknown>>;
  return (name) => {
    const value = Object.hasOwn(sent, name) ? sent[name] : undefined;
    const [first] = Array.isArray(value) ? (value as unknown[]) : [value];
    return typeof first === 'string' ? first : '';
  };
}

/** All texts of a body by their name, in the order in which they were sent; empty when it is missing. */
export function valuesOf(fields: unknown, name: string): string[] {
  const sent = (fields ?? {}) as Readonly<Record<string, unknown>>;
  const value = Object.hasOwn(sent, name) ? sent[name] : undefined;
  return (Array.isArray(value) ? (value as unknown[]) : [value]).flatMap((one) =>
    typeof one === 'string' ? [one] : one === null ? [''] : [],
  );
}
