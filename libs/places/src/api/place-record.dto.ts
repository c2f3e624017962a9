import { ApiProperty } from '@nestjs/swagger';
import { ApiModel, formats } from '#http';
import { categories } from '#tenancy';

/** Codes of categories. */
export const codes = Object.keys(categories);
/** The schema of a category. */
export const category = {
  type: String,
  enum: codes,
  description: Object.entries(categories)
    .map(([code, { label }]) => `${code} ${label.en}`)
    .join(', '),
};

export class PictureVariations {
  @ApiProperty(formats.nullableText)
  readonly fhd!: string | null;

  @ApiProperty(formats.nullableText)
  readonly hdr!: string | null;

  @ApiProperty(formats.nullableText)
  readonly med!: string | null;

  @ApiProperty(formats.nullableText)
  readonly thumbnail!: string | null;
}
const variationsOf = {
  type: PictureVariations,
  description: 'Paths on this host and on the host of the place; null without a picture.',
};

const picture = (id: string, file: number): PictureVariations => {
  const path = `/images/${id}/6a0f2a5e-2b1d-4c7e-8f3a-2f2f6c1f0a0${file}`;
  return { fhd: `${path}/fhd.jpg`, hdr: `${path}/hdr.jpg`, med: `${path}/med.jpg`, thumbnail: `${path}/thumbnail.jpg` };
};
const exampleId = '0b7e4b4c-6f6a-4a7e-9a53-0d6a5a1f2c11';
const example: PlaceRecord = {
  uuid: exampleId,
  organisation: 'The Tin Heron',
  slug: 'the-tin-heron',
  short_description: 'A music hall by the river.',
  long_description: '<p>Concerts most weeks.</p>',
  adress: '14 quai des Ferblantiers',
  postal_code: 44200,
  city: 'Nantes',
  phone: '+33 2 61 91 44 20',
  email: 'hello@tin-heron.example',
  site_web: 'https://tin-heron.example',
  legal_documents: null,
  twitter: null,
  facebook: null,
  instagram: 'https://www.instagram.com/tin_heron',
  adhesion_obligatoire: false,
  button_adhesion: true,
  map_img: null,
  carte_restaurant: null,
  img_variations: picture(exampleId, 1),
  logo_variations: picture(exampleId, 2),
  categorie: 'S',
};

/** The public record of a place (specification, "Tenant / place"). */
@ApiModel('Place', { example })
export class PlaceRecord {
  @ApiProperty(formats.uuid)
  readonly uuid!: string;

  @ApiProperty(formats.text)
  readonly organisation!: string;

  @ApiProperty({ ...formats.text, description: 'The first label of its first host name.' })
  readonly slug!: string;

  @ApiProperty(formats.text)
  readonly short_description!: string;

  @ApiProperty(formats.text)
  readonly long_description!: string;

  @ApiProperty(formats.nullableText)
  readonly adress!: string | null;

  @ApiProperty({
    anyOf: [{ type: 'number' }, { type: 'string' }],
    nullable: true,
    description: 'A number when it is one that comes back unchanged.',
  })
  readonly postal_code!: number | string | null;

  @ApiProperty(formats.nullableText)
  readonly city!: string | null;

  @ApiProperty(formats.text)
  readonly phone!: string;

  @ApiProperty(formats.text)
  readonly email!: string;

  @ApiProperty(formats.text)
  readonly site_web!: string;

  @ApiProperty({ ...formats.nullableText, description: 'Address of its statutes.' })
  readonly legal_documents!: string | null;

  @ApiProperty(formats.nullableText)
  readonly twitter!: string | null;

  @ApiProperty(formats.nullableText)
  readonly facebook!: string | null;

  @ApiProperty(formats.nullableText)
  readonly instagram!: string | null;

  @ApiProperty(formats.boolean)
  readonly adhesion_obligatoire!: boolean;

  @ApiProperty(formats.boolean)
  readonly button_adhesion!: boolean;

  @ApiProperty({ ...formats.nullableText, description: 'Path of a picture.' })
  readonly map_img!: string | null;

  @ApiProperty({ ...formats.nullableText, description: 'Address of the menu of its restaurant.' })
  readonly carte_restaurant!: string | null;

  @ApiProperty(variationsOf)
  readonly img_variations!: PictureVariations;

  @ApiProperty(variationsOf)
  readonly logo_variations!: PictureVariations;

  @ApiProperty(category)
  readonly categorie!: string;
}
