import { defineProblems } from '#kernel';

export const eventProblem = defineProblems({
  'event.unknown': {
    status: 404,
    en: ['Event unknown', 'There is no such event.'],
    fr: ['Événement inconnu', "Cet événement n'existe pas."],
  },
});
