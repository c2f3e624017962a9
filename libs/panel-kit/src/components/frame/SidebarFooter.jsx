/** Nothing: the makers of the panel's parts are named in the licence notes. */
export default function SidebarFooter() {
  return null;
}
