import type { ComponentChildren, JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** The heading of a screen. It takes the focus when the button that led here is gone: keyboards and screen readers go on from it. */
export function Title({ children }: { readonly children: ComponentChildren }): JSX.Element {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    // Not at the start of the app, and not in the place of something that has the focus.
    const isLost = document.activeElement === document.body && (navigator.userActivation?.hasBeenActive ?? false);
    if (isLost) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  );
}
