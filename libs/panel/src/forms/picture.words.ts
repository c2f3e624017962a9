import type { Language } from '#kernel';

/** What a resource with a picture says of it. */
export const pictureWords: Record<Language, Readonly<Record<'properties' | 'actions' | 'messages', Record<string, string>>>> = {
  en: {
    properties: { picture: 'Picture' },
    actions: { picture: 'Picture' },
    messages: {
      pictureSaved: 'Picture saved',
      pictureRemoved: 'Picture removed',
      pictureMissing: 'Choose a file.',
    },
  },
  fr: {
    properties: { picture: 'Image' },
    actions: { picture: 'Image' },
    messages: {
      pictureSaved: 'Image enregistrée',
      pictureRemoved: 'Image retirée',
      pictureMissing: 'Choisissez un fichier.',
    },
  },
};
