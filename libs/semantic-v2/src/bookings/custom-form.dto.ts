import type { GivenAnswers } from '#booking';
import { isNothing, isObject, isText, isUuid } from '#kernel';
import { mayHaveProperties, type PropertyValue } from './booking-members.dto.js';

/** How answers are sent, for the API document. */
export const answersInput =
  'customForm holds answers to questions: an object by the name or identifier of the question, or a list of PropertyValue with propertyID and value.';

/** More than all questions of a few products. */
const mostAnswers = 100;

/** What can be an answer at all; whether it fits its question the service says. */
function isAnswerValue(value: unknown): boolean {
  if (isNothing(value) || typeof value === 'boolean' || Number.isFinite(value)) return true;
  if (Array.isArray(value)) return value.length <= 50 && value.every((one) => typeof one === 'string');
  return typeof value === 'string';
}

/** One of a list: the question stands in `propertyID`, or in `name`. */
function questionOf(item: Readonly<Record<string, unknown>>): unknown {
  return item['propertyID'] ?? item['name'];
}

/** `customForm`: an object with answers by question, or a list of PropertyValue as it is answered. */
export function isCustomForm(value: unknown): boolean {
  if (Array.isArray(value)) {
    const names = value.map((item) => (isObject(item) ? questionOf(item) : undefined));
    return (
      value.length <= mostAnswers &&
      names.every((name) => isText(name, 1, 200)) &&
      new Set(names).size === names.length &&
      value.every((item) => isAnswerValue((item as { value?: unknown }).value))
    );
  }
  if (!isObject(value)) return false;
  const members = Object.entries(value);
  return members.length <= mostAnswers && members.every(([name, one]) => isText(name, 1, 200) && isAnswerValue(one));
}

interface HasProperties {
  readonly additionalProperty?: readonly PropertyValue[] | null;
}

/** A line of a reservation, or a membership, with properties of which only `customForm` is known. */
export function mayHaveCustomForm(): PropertyDecorator {
  return mayHaveProperties(
    { customForm: isCustomForm },
    {},
    `${answersInput} They hold for each ticket of this line; tickets with other answers are another line.`,
  );
}

const customFormOf = ({ additionalProperty }: HasProperties): unknown =>
  additionalProperty?.find(({ name }) => name === 'customForm')?.value;

/** The answers of a body whose form was checked, by the name or the identifier of the question; undefined without any. */
export function toAnswers(body: HasProperties): GivenAnswers | undefined {
  const value = customFormOf(body);
  if (Array.isArray(value)) {
    const items = value as { value?: unknown }[];
    return new Map(items.map((item) => [keyOf(questionOf(item as Record<string, unknown>) as string), item.value]));
  }
  return isObject(value) ? new Map(Object.entries(value).map(([name, one]) => [keyOf(name), one])) : undefined;
}

/** UUIDs in lower case, as they are stored. */
const keyOf = (name: string): string => (isUuid(name) ? name.toLowerCase() : name);

/** Where the answer to a question stands, or where it is missing. */
function answerPointer(body: HasProperties | undefined, at: string, name: string): string {
  const index = body?.additionalProperty?.findIndex((property) => property.name === 'customForm') ?? -1;
  if (index === -1) return `${at}/additionalProperty`;
  const form = `${at}/additionalProperty/${index}/value`;
  const value = body?.additionalProperty?.[index]?.value;
  if (!Array.isArray(value)) {
    const spelled = Object.keys(Object(value)).find((key) => keyOf(key) === name) ?? name;
    return `${form}/${spelled.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  }
  const place = value.findIndex((item) => keyOf(String(questionOf(item as Record<string, unknown>))) === name);
  return place === -1 ? form : `${form}/${place}/value`;
}

/** Where answers stand that a service refuses as `answers.<name>` or `tickets.<line>.answers.<name>`; undefined for other fields. */
export function answerPointers(body: HasProperties, lines: readonly HasProperties[] = []): (field: string) => string | undefined {
  return (field) => {
    const [, line, name] = /^(?:tickets\.(\d+)\.)?answers\.([^]*)$/.exec(field) ?? [];
    if (name === undefined) return undefined;
    return line === undefined ? answerPointer(body, '', name) : answerPointer(lines[Number(line)], `/reservedTicket/${line}`, name);
  };
}
