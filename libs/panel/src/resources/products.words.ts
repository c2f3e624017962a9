import type { Language } from '#kernel';
import type { ResourceWords } from '../panel-words.js';
import { pictureWords } from './picture.words.js';

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
      ...pictureWords.en.properties,
      createdAt: 'Created',
      id: 'Identifier',
    },
    actions: { new: 'New product', ...pictureWords.en.actions },
    messages: {
      sendToCashlessHelp: 'One membership of the place at most.',
      ...pictureWords.en.messages,
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
      ...pictureWords.fr.properties,
      createdAt: 'Créé',
      id: 'Identifiant',
    },
    actions: { new: 'Nouveau produit', ...pictureWords.fr.actions },
    messages: {
      sendToCashlessHelp: 'Une seule adhésion du lieu au plus.',
      ...pictureWords.fr.messages,
    },
  },
};
