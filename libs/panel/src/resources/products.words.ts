import type { Language } from '#kernel';
import type { ResourceWords } from '../panel-words.js';

/** What the panel says of products. */
export const words: Record<Language, ResourceWords> = {
  en: {
    plural: 'Products',
    singular: 'Product',
    properties: {
      name: 'Name',
      category: 'Kind',
      pricesCount: 'Prices',
      prices: 'Prices',
      published: 'Published',
      shortDescription: 'Short description',
      longDescription: 'Description',
      termsAndConditions: 'Terms and conditions',
      sendToCashless: 'Recorded on cashless cards',
      picture: 'Picture',
      createdAt: 'Created',
      id: 'Identifier',
    },
    actions: { new: 'New product', picture: 'Picture' },
    messages: {
      sendToCashlessHelp: 'One membership of the place at most.',
      pictureSaved: 'Picture saved',
      pictureRemoved: 'Picture removed',
      pictureMissing: 'Choose a file.',
    },
  },
  fr: {
    plural: 'Produits',
    singular: 'Produit',
    properties: {
      name: 'Nom',
      category: 'Type',
      pricesCount: 'Tarifs',
      prices: 'Tarifs',
      published: 'Publié',
      shortDescription: 'Description courte',
      longDescription: 'Description',
      termsAndConditions: 'Conditions générales',
      sendToCashless: 'Inscrit sur les cartes cashless',
      picture: 'Image',
      createdAt: 'Créé',
      id: 'Identifiant',
    },
    actions: { new: 'Nouveau produit', picture: 'Image' },
    messages: {
      sendToCashlessHelp: 'Une seule adhésion du lieu au plus.',
      pictureSaved: 'Image enregistrée',
      pictureRemoved: 'Image retirée',
      pictureMissing: 'Choisissez un fichier.',
    },
  },
};
