import type { ImagesService, Pictures, PreparedImage } from '#catalogue';
import { TakesForm } from '#http';
import { isWebAddress, may } from '#kernel';
import { asAnswered } from './answered-members.js';
import { texts } from '../locales/semantic-v2.texts.js';

/** File fields of a form. */
export const pictureFields = ['img', 'sticker_img'] as const;
export type PictureFiles = Partial<Record<(typeof pictureFields)[number], Buffer>>;

/** Fields of the form of an event: its pictures, and members as text, or as JSON in text. */
export const TakesEventForm = (): MethodDecorator =>
  TakesForm({
    files: pictureFields,
    nested: [
      'audience',
      'keywords',
      'offers',
      'additionalProperty',
      'superEvent',
      'location',
      'performer',
      'organizer',
      'inLanguage',
      'image',
    ],
    numbers: ['maximumAttendeeCapacity'],
    lists: ['keywords'],
    required: ['name', 'startDate'],
  });

/** Fields of the form of an address. */
export const TakesAddressForm = (): MethodDecorator =>
  TakesForm({
    files: pictureFields,
    nested: ['geo', 'additionalProperty', 'image'],
    required: ['streetAddress', 'addressLocality', 'addressCountry'],
  });

/** The member with the answered pictures. A body can only remove them, because pictures are uploaded as files. */
export const mayBeAnsweredImage = (): PropertyDecorator =>
  may('isImage', (value) => Array.isArray(value), imageSentence, {
    type: 'array',
    items: { type: 'string', format: 'uri' },
    description: `null removes the pictures; they come as files. A list is ${asAnswered.toLowerCase()}`,
  });

/** The same member for a new object: pictures are fetched from their addresses. */
export const mayBeImages = (): PropertyDecorator =>
  may('isImage', (value) => Array.isArray(value) && value.every(isWebAddress), addressesSentence, {
    type: 'array',
    items: { type: 'string', format: 'uri' },
    maxItems: 2,
    description: 'Addresses of the picture and of the small one for lists, which are fetched unless files are sent; also ImageObjects.',
  });

const addressesSentence = texts.localized('pictureForm.addressesInvalid');
const imageSentence = texts.localized('pictureForm.imageInvalid');

/** The uploaded pictures. @throws RefusedInput on `img` or `sticker_img` */
export async function preparedPictures(images: ImagesService, files: PictureFiles): Promise<Pictures> {
  const prepared: { picture?: PreparedImage; sticker?: PreparedImage } = {};
  if (files.img) prepared.picture = await images.prepare(files.img, 'img');
  if (files.sticker_img) prepared.sticker = await images.prepare(files.sticker_img, 'sticker_img');
  return prepared;
}
