import { problemCode, type Answer } from './api.js';

/** What the server says about its refusal, in the language of the answer; empty: nothing. */
export function problemDetail({ body }: Answer): string {
  const detail = (body as { detail?: unknown } | null)?.detail;
  return typeof detail === 'string' ? detail : '';
}

/** The code of a refusal; `failed` when the server failed, because then it did not look at what it was asked. */
export function refusalCode(answer: Answer): string {
  return answer.status >= 500 ? 'failed' : (problemCode(answer) ?? 'failed');
}
