import { describe, expect, it } from '@jest/globals';
import { clientDocument } from './client-document.js';

type Document = Readonly<Record<string, unknown>> & { paths: Record<string, Record<string, Record<string, unknown>>> };

const text = { type: 'string' };
const list = { type: 'array', items: text };

function documentOf(schema: object, content: object = {}): Document {
  return {
    openapi: '3.1.0',
    info: { title: 'Guichet' },
    paths: { '/a/': { post: { operationId: 'a', requestBody: { required: true, content } } } },
    webhooks: { made: {} },
    components: { schemas: { One: { type: 'object', properties: { value: schema, example: text } } } },
  };
}

const valueOf = (document: Document): unknown =>
  (document['components'] as { schemas: { One: { properties: object } } }).schemas.One.properties;

describe('the document for generated clients', () => {
  it('has no webhooks', () => {
    expect(clientDocument(documentOf(text))).not.toHaveProperty('webhooks');
  });

  it('has any value where a list is one of several choices, at any depth', () => {
    for (const choice of [{ anyOf: [text, list] }, { oneOf: [{ anyOf: [list, text] }, { type: 'null' }] }]) {
      expect(valueOf(clientDocument(documentOf({ description: 'x', ...choice })))).toEqual({ value: { description: 'x' }, example: text });
    }
    const other = { anyOf: [text, { type: 'null' }] };
    expect(valueOf(clientDocument(documentOf(other)))).toEqual({ value: other, example: text });
  });

  it('has JSON as the only body, where it is one', () => {
    const json = { schema: text, example: 'x' };
    const bodyOf = (content: object): unknown => clientDocument(documentOf(text, content)).paths['/a/']?.['post']?.['requestBody'];
    expect(bodyOf({ 'application/json': json, 'multipart/form-data': {} })).toEqual({
      required: true,
      content: { 'application/json': { schema: text } },
    });
    expect(bodyOf({ 'text/plain': json })).toEqual({ required: true, content: { 'text/plain': { schema: text } } });
  });
});
