import type { GivenAnswers } from '#tickets';
import { isNothing, isObject, isText, isUuid } from '#kernel';
import { mayHaveProperties, type PropertyValue } from './booking-members.dto.js';

/** Describes the format of answers in the API document. */
export const answersInput =
  'customForm holds answers to questions: an object by the name or identifier of the question, or a list of PropertyValue with ' +
  'propertyID and value.';

/** A limit above the number of questions of some products. */
const mostAnswers = 100;

/** Whether a value can be an answer. The service checks whether it matches its question. */
function isAnswerValue(value: unknown): boolean {
  if (isNothing(value) || typeof value === 'boolean' || Number.isFinite(value)) return true;
  if (Array.isArray(value)) return value.length <= 50 && value.every((one) => typeof one === 'string');
  return typeof value === 'string';
}

/** The question of a list item: `propertyID` or `name`. */
function questionOf(item: Readonly<Record<string, unknown>>): unknown {
  return item['propertyID'] ?? item['name'];
}

/** Whether a value is a `customForm`: an object with answers by question, or a list of PropertyValue as in answers. */
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

/** `additionalProperty` of a reserved ticket or a membership; only `customForm` is known. */
export function mayHaveCustomForm(): PropertyDecorator {
  return mayHaveProperties(
    { customForm: isCustomForm },
    {},
    `${answersInput} They hold for each ticket of this line; tickets with other answers are another line.`,
  );
}

const customFormOf = ({ additionalProperty }: HasProperties): unknown =>
  additionalProperty?.find(({ name }) => name === 'customForm')?.value;

/** The answers of a validated body by name or identifier of the question; undefined when there are none. */
export function toAnswers(body: HasProperties): GivenAnswers | undefined {
  const value = customFormOf(body);
  if (Array.isArray(value)) {
    const items = value as { value?: unknown }[];
    return new Map(items.map((item) => [keyOf(questionOf(item as Record<string, unknown>) as string), item.value]));
  }
  return isObject(value) ? new Map(Object.entries(value).map(([name, one]) => [keyOf(name), one])) : undefined;
}

/** Lower case for UUIDs, as they are stored. */
const keyOf = (name: string): string => (isUuid(name) ? name.toLowerCase() : name);

/** JSON pointer of the answer to a question, or of the place where it is missing. */
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

/** JSON pointers for the fields `answers.<name>` and `tickets.<line>.answers.<name>` of services; undefined for other fields. */
export function answerPointers(body: HasProperties, lines: readonly HasProperties[] = []): (field: string) => string | undefined {
  return (field) => {
    const [, line, name] = /^(?:tickets\.(\d+)\.)?answers\.([^]*)$/.exec(field) ?? [];
    if (name === undefined) return undefined;
    return line === undefined ? answerPointer(body, '', name) : answerPointer(lines[Number(line)], `/reservedTicket/${line}`, name);
  };
}
