/** How bodies of a class are read that others publish, in the many forms that are in use. */
export interface FoundForm {
  /**
   * Brings the forms in use into the one that the class checks. Leaves what it does not understand as it is, so that the class refuses it;
   * notes what it leaves out with `ignoreMember`.
   * @param moved notes the prefix of a JSON pointer in the result, and the one in the body
   */
  readonly read: (body: Readonly<Record<string, unknown>>, moved: Map<string, string>) => Record<string, unknown>;
  /** Whether a member that the class does not have is accepted without a meaning. */
  readonly isAccepted: (name: string) => boolean;
}

const forms = new WeakMap<object, FoundForm>();

/** Bodies of the class are read in several forms. Put `@ReadsFound()` on the routes. */
export function AcceptsFound(form: FoundForm): ClassDecorator {
  return (type) => {
    forms.set(type, form);
  };
}

export function foundFormOf(type: object): FoundForm | undefined {
  return forms.get(type);
}

/** The pointer in the body that was sent. */
export function originalPointer(pointer: string, moved: ReadonlyMap<string, string>): string {
  for (const [now, before] of moved) if (pointer === now || pointer.startsWith(`${now}/`)) return before + pointer.slice(now.length);
  return pointer;
}
