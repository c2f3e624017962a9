import { ApiProperty } from '@nestjs/swagger';
import { formats } from '#http';
import { type VenueMethod, venueMethods } from '#payments';
import { holderTexts } from '#tickets';
import {
  currentLanguage,
  isEmail,
  isLanguage,
  isObject,
  knownName,
  languages,
  may,
  mayList,
  must,
  namesDiffer,
  optionalText,
  type Language,
} from '#kernel';
import { applyDecorators } from '@nestjs/common';
import { plainToInstance, Transform, Type } from 'class-transformer';
import { ValidateNested } from 'class-validator';
import { texts } from '../locales/semantic-v2.texts.js';

type Constructor = new () => object;

/** A required member that is an object of this class. */
export function mustHold(type: Constructor): PropertyDecorator {
  return applyDecorators(
    ValidateNested(),
    Type(() => type),
    must('isObject', isObject, texts.localized('bookingMembers.notObject'), { type: () => type }),
  );
}

/** Accepts the identifier alone instead of an object of this class. */
export function orIdentifier(type: Constructor): PropertyDecorator {
  return Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' ? Object.assign(new type(), { identifier: value }) : value,
  );
}

/** The holder of a booking. */
export class PersonBody {
  @must(
    'isEmail',
    (value) => typeof value === 'string' && value.length <= 1000 && isEmail(value.trim()),
    texts.localized('bookingMembers.emailInvalid'),
  )
  @ApiProperty({ type: String, format: 'idn-email', maxLength: 254 })
  email!: string;

  @optionalText(holderTexts.firstName)
  givenName?: string | null;

  @optionalText(holderTexts.lastName)
  familyName?: string | null;
}

/** A language code, also with a region: `fr`, `fr-CA`. */
function languageOf(value: unknown): Language | undefined {
  const code = typeof value === 'string' ? /^([a-z]{2})(-[a-z0-9]{2,8})*$/i.exec(value)?.[1]?.toLowerCase() : undefined;
  return isLanguage(code) ? code : undefined;
}

/** The member `inLanguage`: the language of mails to the holder. */
export function mayBeLanguage(): PropertyDecorator {
  const sentence = texts.localized('bookingMembers.languageInvalid', { languages: languages.join(', ') });
  return may('isLanguage', (value) => languageOf(value) !== undefined, sentence, {
    ...formats.text,
    pattern: `^(${languages.join('|')})(-[A-Za-z0-9]{2,8})*$`,
    description:
      `In which language the holder is written to: ${languages.join(' or ')}, also with a region. Absent: as Accept-Language says, ` +
      'else that of the place.',
  });
}

/** The language of a body; default: the language of the request (`Accept-Language`, then the tenant's). */
export function holderLanguage({ inLanguage }: { readonly inLanguage?: string | null }): Language {
  return languageOf(inLanguage) ?? currentLanguage();
}

/** Maps a person to the names of the services. */
export function toHolder({ email, givenName, familyName }: PersonBody): {
  email: string;
  firstName: string;
  lastName: string;
} {
  return { email, firstName: givenName ?? '', lastName: familyName ?? '' };
}

/** A member of `additionalProperty`. */
export interface PropertyValue {
  readonly name: string;
  readonly value?: unknown;
}

/**
 * `additionalProperty`, limited to known names.
 * @param classes classes of properties whose value is an object
 * @param description for the API document
 */
export function mayHaveProperties(
  known: Readonly<Record<string, (value: unknown) => boolean>>,
  classes: Readonly<Record<string, Constructor>> = {},
  description?: string,
): PropertyDecorator {
  const checks = new Map(Object.entries(known));
  class PropertyValueBody {
    @knownName(Object.keys(known))
    name!: string;

    @may(
      'isPropertyValue',
      (value, body) => checks.get((body as PropertyValue).name)?.(value) ?? true,
      texts.localized('bookingMembers.valueInvalid'),
    )
    value?: unknown;
  }
  const structured = new Map(Object.entries(classes));
  const withClass = (item: unknown): unknown => {
    const type = isObject(item) && structured.get(item['name'] as string);
    return type ? plainToInstance(type, { ...item }) : item;
  };
  return applyDecorators(
    mayList(PropertyValueBody, namesDiffer, texts.localized('bookingMembers.propertiesInvalid')),
    Transform(({ value }: { value: unknown }) => (Array.isArray(value) ? value.map(withClass) : value)),
    describedProperties([...Object.keys(known), ...Object.keys(classes)], description),
  );
}

/** Describes a list of `additionalProperty` in the API document. The schema of a value depends on its name. */
function describedProperties(names: readonly string[], description: string | undefined): PropertyDecorator {
  const items = { type: 'object', properties: { name: { type: 'string', enum: [...names] }, value: { anyOf: [{}] } }, required: ['name'] };
  return ApiProperty({
    type: 'array',
    items,
    maxItems: 50,
    ...(description !== undefined && { description }),
  });
}

/** The value of a property in `additionalProperty`; undefined when it is absent or null. */
export function propertyOf(body: { additionalProperty?: PropertyValue[] | null }, name: string): unknown {
  return body.additionalProperty?.find((property) => property.name === name)?.value ?? undefined;
}

/** `propertyOf` for a body that is not validated yet. */
export function uncheckedProperty(body: object, name: string): unknown {
  const { additionalProperty: list } = body as { additionalProperty?: unknown };
  const found: unknown = Array.isArray(list) ? list.find((item) => isObject(item) && item['name'] === name) : undefined;
  return isObject(found) ? found['value'] : undefined;
}

const methods: readonly string[] = venueMethods;

/** Whether a value names a payment method at the venue, in any case. */
export function isVenueMethod(value: unknown): value is VenueMethod {
  return typeof value === 'string' && methods.includes(value.toLowerCase());
}

/** The member with the payment method used at the venue. */
export function mayBeVenueMethod(): PropertyDecorator {
  const sentence = texts.localized('bookingMembers.paymentMethodInvalid', { methods: methods.join(', ') });
  return may('isPaymentMethod', isVenueMethod, sentence, { type: String, enum: [...methods] });
}
