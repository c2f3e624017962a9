import type { JsonSchema } from '#http';

type Node = Readonly<Record<string, unknown>>;

/**
 * The document for programs that generate clients. It says less than the document for people and validators, where such programs make
 * clients that do not compile or send something else: no webhooks, because their names collide with those of the operations; only JSON as
 * the body of a request, because a body in several types is sent as text; any value instead of a choice between a list and something
 * else, because Java has no such type; no defaults, because a member with one is then demanded; no examples.
 */
export function clientDocument<Document extends object>(document: Document): Document {
  const { webhooks: _webhooks, ...rest } = document as Node;
  return simple(rest) as Document;
}

function simple(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(simple);
  if (typeof value !== 'object' || value === null) return value;
  const node = value as Node;
  if (isChoiceWithList(node)) return withoutChoice(node);
  const entries = Object.entries(node).filter(([name, member]) => !isLeftOut(name, member));
  return Object.fromEntries(
    entries.map(([name, member]) => [name, name === 'requestBody' ? simple(inJson(member as Node)) : simple(member)]),
  );
}

const leftOut = new Set(['example', 'examples', 'default']);

/** Whether it is an example or a default, and not a member of a schema that has this name. */
function isLeftOut(name: string, value: unknown): boolean {
  return leftOut.has(name) && !isSchema(value);
}

function isSchema(value: unknown): boolean {
  return typeof value === 'object' && value !== null && ('type' in value || '$ref' in value || 'anyOf' in value) && !('value' in value);
}

function inJson({ content, ...body }: Node): Node {
  const { 'application/json': json, ...others } = content as Node;
  return { ...body, content: json === undefined ? others : { 'application/json': json } };
}

const choicesOf = ({ anyOf, oneOf }: Node): readonly JsonSchema[] =>
  [anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? (list as JsonSchema[]) : []));

function isChoiceWithList(node: Node): boolean {
  return choicesOf(node).some((choice) => choice['type'] === 'array' || isChoiceWithList(choice));
}

function withoutChoice({ anyOf: _anyOf, oneOf: _oneOf, ...schema }: Node): Node {
  return simple(schema) as Node;
}
