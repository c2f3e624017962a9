/** A value as JSON brings it to the browser: instants are texts. */
export type Sent<Value> = Value extends Date
  ? string
  : Value extends readonly (infer Item)[]
    ? readonly Sent<Item>[]
    : Value extends object
      ? { readonly [Name in keyof Value]: Sent<Value[Name]> }
      : Value;

/** What a component gets from the function that reads its view: the one type of both. */
export type ViewOf<Read extends (...given: never[]) => unknown> = Sent<Awaited<ReturnType<Read>>>;
