import type { Catalogue } from '../locales/catalogue.js';
import type { Language, Text } from '../locales/language.js';
import type { TextPath } from '../locales/text-paths.js';

/** One fault of a request body: where (RFC 6901 pointer), a code, and a sentence that says how to correct it. */
export interface BodyFault {
  readonly pointer: string;
  readonly code: string;
  readonly detail: string;
}

/** A problem that the service may answer. */
export interface ProblemKind {
  readonly status: number;
  readonly title: Text;
  /** How to correct it; `{name}` marks a parameter. */
  readonly detail: Text;
}

/** The codes whose texts a catalogue has: `problems.<noun>.<reason>`. */
type ProblemCode<Tree> = Tree extends { readonly problems: infer Nouns }
  ? { [Noun in keyof Nouns & string]: `${Noun}.${keyof Nouns[Noun] & string}` }[keyof Nouns & string]
  : never;

export interface ProblemExtras {
  /** Values for `{name}` in the detail. Must not contain secrets or data of another tenant. */
  readonly parameters?: Readonly<Record<string, string | number>>;
  readonly errors?: readonly BodyFault[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly members?: Readonly<Record<string, unknown>>;
}

const kinds = new Map<string, ProblemKind>();

/** An expected error, answered as RFC 9457 `application/problem+json`. The code is `noun.reason`, stable, and listed in docs/api.md. */
export class Problem extends Error {
  constructor(
    readonly code: string,
    readonly extras: ProblemExtras = {},
  ) {
    super(code);
    if (!kinds.has(code)) throw new TypeError(`"${code}" is not in any problems file`);
  }

  get kind(): ProblemKind {
    return kinds.get(this.code) as ProblemKind;
  }

  get status(): number {
    return this.kind.status;
  }
}

/** The wire shape of a problem. */
export interface ProblemBody {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly instance: string;
  readonly code: string;
  readonly errors?: readonly BodyFault[];
  readonly [member: string]: unknown;
}

/**
 * Registers the problems of a module and returns a factory that accepts only its codes: `const problem = defineProblems(texts, {…})`. Their
 * texts are `problems.<noun>.<reason>.title` and `.detail` of the lib's catalogue.
 */
export function defineProblems<Tree, Code extends ProblemCode<Tree>>(
  texts: Catalogue<Tree>,
  definitions: Readonly<Record<Code, { readonly status: number }>>,
): (code: Code, extras?: ProblemExtras) => Problem {
  for (const [code, { status }] of Object.entries<{ readonly status: number }>(definitions)) {
    const text = (part: string): Text => texts.localized(`problems.${code}.${part}` as TextPath<Tree>);
    kinds.set(code, { status, title: text('title'), detail: text('detail') });
  }
  return (code, extras) => new Problem(code, extras);
}

/** Every registered problem, for the reference and for the test that provokes each. */
export function allProblems(): ReadonlyMap<string, ProblemKind> {
  return kinds;
}

/** Renders a problem in a language. `instance` is the request id, so that a caller can quote it. */
export function problemBody(problem: Problem, language: Language, requestId: string): ProblemBody {
  const { title, detail } = problem.kind;
  const parameters = problem.extras.parameters ?? {};
  return {
    type: `urn:guichet:problem:${problem.code}`,
    title: title[language],
    status: problem.status,
    detail: detail[language].replace(/\{(\w+)\}/g, (whole, name: string) => String(parameters[name] ?? whole)),
    instance: requestId,
    code: problem.code,
    ...(problem.extras.errors ? { errors: problem.extras.errors } : {}),
    ...problem.extras.members,
  };
}
