import { defineProblems } from '#kernel';

export const productProblem = defineProblems({
  'product.unknown': {
    status: 404,
    en: ['Product unknown', 'There is no such product.'],
    fr: ['Produit inconnu', "Ce produit n'existe pas."],
  },
  'product.sold': {
    status: 409,
    en: ['Product sold', 'This product was sold and cannot be deleted. Unpublish it instead: PATCH published to false.'],
    fr: ['Produit vendu', 'Ce produit a été vendu et ne peut pas être supprimé. Dépubliez-le plutôt : PATCH de published à false.'],
  },
  'product.required': {
    status: 409,
    en: ['Membership required', 'Prices require this membership. Let them require another one, or none, first.'],
    fr: ['Adhésion exigée', "Des tarifs exigent cette adhésion. Faites-leur d'abord en exiger une autre, ou aucune."],
  },
  'product.offer_unknown': {
    status: 404,
    en: ['Offer unknown', 'This product has no such offer.'],
    fr: ['Offre inconnue', "Ce produit n'a pas cette offre."],
  },
  'product.offer_sold': {
    status: 409,
    en: ['Offer sold', 'Something was sold at this offer, which cannot be deleted. Unpublish it instead: PATCH published to false.'],
    fr: [
      'Offre vendue',
      'Cette offre a servi à une vente et ne peut pas être supprimée. Dépubliez-la plutôt : PATCH de published à false.',
    ],
  },
  'product.last_free_offer': {
    status: 409,
    en: ['Last free offer', 'A free booking keeps one published offer that costs nothing. Publish another one first.'],
    fr: ['Dernière offre gratuite', "Une réservation gratuite garde une offre publiée qui ne coûte rien. Publiez-en d'abord une autre."],
  },
  'product.exists': {
    status: 409,
    en: ['Product exists', 'A product of this kind and name exists already.'],
    fr: ['Produit existant', 'Un produit de ce type et de ce nom existe déjà.'],
  },
  'product.cashless_taken': {
    status: 409,
    en: ['Cashless product taken', 'Another product is recorded on cashless cards already. Only one can be.'],
    fr: ['Produit cashless déjà pris', 'Un autre produit est déjà inscrit sur les cartes cashless. Un seul peut l’être.'],
  },
});
