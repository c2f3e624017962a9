import { allProblems, Problem, problemBody } from '#kernel';
import type { JsonSchema } from '#http';
import { problemHeaders } from './headers.js';

/** One response per status, with an example of every problem with that status. */
export function problemResponses(codes: readonly string[]): Record<string, JsonSchema> {
  const known = allProblems();
  const byStatus = new Map<string, string[]>();
  for (const code of [...new Set(codes)].toSorted()) {
    const status = known.get(code)?.status;
    if (status === undefined) throw new TypeError(`"${code}" is described but is in no problems file`);
    byStatus.set(String(status), [...(byStatus.get(String(status)) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, list]) => {
      const headers = problemHeaders(status);
      return [
        status,
        {
          description: list.map((code) => `\`${code}\` ${known.get(code)?.title.en ?? ''}`).join(' · '),
          ...(Object.keys(headers).length > 0 ? { headers } : {}),
          content: {
            'application/problem+json': {
              schema: { $ref: '#/components/schemas/Problem' },
              examples: Object.fromEntries(list.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
            },
          },
        },
      ];
    }),
  );
}

/** Examples of all problems that any route answers. */
export function problemExamples(codes: readonly string[]): Record<string, JsonSchema> {
  return Object.fromEntries(
    [...new Set(codes)].toSorted().map((code) => [code, { value: problemBody(new Problem(code), 'en', 'b1946ac9') }]),
  );
}
