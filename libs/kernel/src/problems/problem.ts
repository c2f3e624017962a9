import type { Language } from '../text/language.js';

/** One fault of a request body: where (RFC 6901 pointer), a code, and a sentence that says how to correct it. */
export interface BodyFault {
  readonly pointer: string;
  readonly code: string;
  readonly detail: string;
}

/** A problem of a `<module>.problems.ts`: the status and, in each language, `[title, detail]`. */
export interface ProblemKind {
  readonly status: number;
  readonly en: readonly [title: string, detail: string];
  readonly fr: readonly [title: string, detail: string];
}

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

/** Registers the problems of a module and returns a factory that accepts only its codes: `const problem = defineProblems({…})`. */
export function defineProblems<Code extends string>(
  definitions: Readonly<Record<Code, ProblemKind>>,
): (code: Code, extras?: ProblemExtras) => Problem {
  for (const [code, kind] of Object.entries<ProblemKind>(definitions)) kinds.set(code, kind);
  return (code, extras) => new Problem(code, extras);
}

/** Every registered problem, for the reference and for the test that provokes each. */
export function allProblems(): ReadonlyMap<string, ProblemKind> {
  return kinds;
}

/** Renders a problem in a language. `instance` is the request id, so that a caller can quote it. */
export function problemBody(problem: Problem, language: Language, requestId: string): ProblemBody {
  const [title, detail] = problem.kind[language];
  const parameters = problem.extras.parameters ?? {};
  return {
    type: `urn:guichet:problem:${problem.code}`,
    title,
    status: problem.status,
    detail: detail.replace(/\{(\w+)\}/g, (whole, name: string) => String(parameters[name] ?? whole)),
    instance: requestId,
    code: problem.code,
    ...(problem.extras.errors ? { errors: problem.extras.errors } : {}),
    ...problem.extras.members,
  };
}
