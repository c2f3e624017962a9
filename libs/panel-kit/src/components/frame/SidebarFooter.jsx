/** Replaces AdminJS's footer with nothing: the licence notes name the authors of the libraries. */
export default function SidebarFooter() {
  return null;
}
