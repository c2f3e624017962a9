import { defineProblems } from '#kernel';

export const eventProblem = defineProblems({
  'event.unknown': {
    status: 404,
    en: ['Event unknown', 'There is no such event.'],
    fr: ['Événement inconnu', "Cet événement n'existe pas."],
  },
  'event.option_unknown': {
    status: 404,
    en: ['Option unknown', 'This event has no such option.'],
    fr: ['Option inconnue', "Cet événement n'a pas cette option."],
  },
});
