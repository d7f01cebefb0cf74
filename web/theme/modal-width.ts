/** Width of a dialog whose content asks for no other. */
export const MODAL_WIDTH = 600
