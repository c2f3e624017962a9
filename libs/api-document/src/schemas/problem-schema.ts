import type { JsonSchema } from '#http';

/** The body of every error (RFC 9457). */
export const problemSchema: JsonSchema = {
  type: 'object',
  description: 'RFC 9457. Act on `code`, which is stable; `detail` is for people.',
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    instance: { type: 'string', description: 'The request id, also in X-Request-Id.' },
    code: { type: 'string', pattern: '^[a-z_]+\\.[a-z_]+$' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        properties: { pointer: { type: 'string' }, code: { type: 'string' }, detail: { type: 'string' } },
        required: ['pointer', 'code', 'detail'],
        additionalProperties: false,
      },
    },
  },
  required: ['type', 'title', 'status', 'detail', 'instance', 'code'],
};
