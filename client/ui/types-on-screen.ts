/** Whether a keyboard comes up on the screen where something is typed. */
export const typesOnScreen = () => matchMedia('(pointer: coarse)').matches
