// TRANSITION: for the cart, which imports it from here.
export { periodWords } from './offer-words.js';
