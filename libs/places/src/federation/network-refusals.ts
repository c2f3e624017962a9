import { RefusedInput, type Text } from '#kernel';

type Reason = 'unknown' | 'asked' | 'accepted' | 'soon' | 'many';

const texts: Readonly<Record<Reason, Text>> = {
  unknown: { en: 'There is no such network.', fr: "Ce réseau n'existe pas." },
  asked: { en: 'You have asked already: the network answers.', fr: 'La demande est déjà faite : le réseau répondra.' },
  accepted: { en: 'You are a member already.', fr: 'Vous en êtes déjà membre.' },
  soon: {
    en: 'The network said no less than a day ago. Ask again tomorrow.',
    fr: "Le réseau a dit non il y a moins d'un jour. Redemandez demain.",
  },
  many: {
    en: 'A place is in 20 networks at most. Leave one first.',
    fr: "Un lieu est dans 20 réseaux au plus. Quittez-en un d'abord.",
  },
};

/** Why a tenant cannot ask to join a network. */
export function membershipRefusal(reason: Reason): RefusedInput {
  return new RefusedInput('networkId', texts[reason]);
}
