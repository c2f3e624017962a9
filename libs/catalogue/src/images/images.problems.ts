import { defineProblems } from '#kernel';

export const problem = defineProblems({
  'image.unknown': {
    status: 404,
    en: ['Image unknown', 'There is no such image, size or format.'],
    fr: ['Image inconnue', "Il n'y a pas de telle image, taille ou format."],
  },
  'image.busy': {
    status: 503,
    en: ['Too many images at once', 'Many images are being fetched. Send the request again in a few seconds.'],
    fr: ['Trop d’images à la fois', 'Beaucoup d’images sont en cours de récupération. Renvoyez la requête dans quelques secondes.'],
  },
});
