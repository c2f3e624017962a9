import { defineProblems } from '#kernel';

export const productProblem = defineProblems({
  'product.unknown': {
    status: 404,
    en: ['Product unknown', 'There is no such product.'],
    fr: ['Produit inconnu', "Ce produit n'existe pas."],
  },
  'product.exists': {
    status: 409,
    en: ['Product exists', 'A product of this kind and name exists already.'],
    fr: ['Produit existant', 'Un produit de ce type et de ce nom existe déjà.'],
  },
  'product.cashless_taken': {
    status: 409,
    en: ['Cashless product taken', 'Another product is recorded on cashless cards already. Only one can be.'],
    fr: [
      'Produit cashless déjà pris',
      'Un autre produit est déjà inscrit sur les cartes cashless. Un seul peut l’être.',
    ],
  },
});
