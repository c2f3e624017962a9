import { expect } from '@jest/globals';
import type { TenantIdentity } from '#tenancy';
import jsonld from 'jsonld';
import { schemaOrgContext } from './schema-org-context.js';

export const schema = (term: string): string => `https://schema.org/${term}`;

export type Node = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>> & {
  readonly '@type': string[];
};

/** Expands a document as a generic JSON-LD processor does; `safe` fails on anything that would be dropped silently. */
export async function expanded(document: object, tenant: TenantIdentity): Promise<Node> {
  const options = {
    safe: true,
    // The `@id` of a postal address is a path, which is resolved against the URL of the response.
    base: `http://${tenant.host}/`,
    documentLoader: (url: string) => {
      expect(url).toBe('https://schema.org');
      return Promise.resolve({ documentUrl: url, document: schemaOrgContext });
    },
  };
  const expand = jsonld.expand as unknown as (document: object, options: object) => Promise<[Node]>;
  const [node, ...more] = await expand(document, options);
  expect(more).toEqual([]);
  return node;
}
