/** Default width of a dialog. */
export const MODAL_WIDTH = 600
