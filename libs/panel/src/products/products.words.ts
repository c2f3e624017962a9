import type { Language } from '#kernel';
import type { ResourceWords } from '#panel-kit';
import { pictureWords } from '../forms/picture.words.js';

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
      questions: 'Questions to buyers',
      published: 'Published',
      shortDescription: 'Short description',
      longDescription: 'Description',
      termsAndConditions: 'Terms and conditions',
      sendToCashless: 'Recorded on cashless cards',
      ...pictureWords.en.properties,
      createdAt: 'Created',
      id: 'Identifier',
    },
    actions: { new: 'New product', questions: 'Change the questions', ...pictureWords.en.actions },
    messages: {
      questionsSaved: 'Questions saved',
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
      questions: 'Questions aux acheteurs',
      published: 'Publié',
      shortDescription: 'Description courte',
      longDescription: 'Description',
      termsAndConditions: 'Conditions générales',
      sendToCashless: 'Inscrit sur les cartes cashless',
      ...pictureWords.fr.properties,
      createdAt: 'Créé',
      id: 'Identifiant',
    },
    actions: { new: 'Nouveau produit', questions: 'Modifier les questions', ...pictureWords.fr.actions },
    messages: {
      questionsSaved: 'Questions enregistrées',
      sendToCashlessHelp: 'Une seule adhésion du lieu au plus.',
      ...pictureWords.fr.messages,
    },
  },
};
