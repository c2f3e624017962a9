export * from './place.entity.js';
export { nameKeyOf, slugOf } from './place-names.js';
export { writePlace } from './place-row.js';
export * from './places.module.js';
export * from './profile/place-profile.service.js';
export type { ProfileTextChange } from './profile/profile-rules.js';
export { profileTexts } from './profile/profile-texts.js';
export * from './profile/profile.entity.js';
