/** A short name of the phone for the panel, such as `Pixel 7` or `iPhone`; undefined when the browser hides it. */
export function phoneLabel(userAgent: string): string | undefined {
  const apple = /\b(iPhone|iPad|Macintosh)\b/.exec(userAgent)?.[1];
  if (apple) return apple === 'Macintosh' ? 'Mac' : apple;
  const model = /Android [\d.]+; ([^;)]{2,40}?)(?: Build\/[^;)]*)?\)/.exec(userAgent)?.[1];
  // Newer versions of Chrome send `K` instead of the model.
  if (model && model !== 'K') return model;
  return /\b(Android|Windows|CrOS|Linux)\b/.exec(userAgent)?.[1];
}

/** Whether the app runs from the home screen. */
export const isInstalled = (): boolean =>
  matchMedia('(display-mode: standalone)').matches || (navigator as { standalone?: boolean }).standalone === true;

/** On iPhones the installed app shares no storage with Safari: a code that is spent here pairs nothing there. */
export const suggestsInstalling = (): boolean => /iPhone|iPad/.test(navigator.userAgent) && !isInstalled();
