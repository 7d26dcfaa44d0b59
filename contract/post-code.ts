/**
 * The code of a posted link: letters and digits that can’t be mistaken for each other. Apart from the rest of promotion,
 * which pages that are come to by such a link need not load.
 */
export const POST_CODE = /^[a-km-z2-9]{8}$/
