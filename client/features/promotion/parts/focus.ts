/**
 * Call it before a row goes: moves the focus to the same button of the row after it, else of the one before it, else to
 * the heading or field above. A row that is removed while it has the focus would drop it to the page.
 */
export function leaveRow(button: HTMLElement): void {
  const row = button.closest('li')
  if (!row) return
  const buttonsOf = (one: Element) => [...one.querySelectorAll<HTMLElement>('a, button:not(:disabled)')]
  const place = buttonsOf(row).indexOf(button)
  const neighbor =
    firstOf(row, 'nextElementSibling', (one) => buttonsOf(one)[place]) ??
    firstOf(row, 'previousElementSibling', (one) => buttonsOf(one)[place])
  if (neighbor) neighbor.focus()
  else
    focusAbove(
      row.closest('section')?.querySelector<HTMLElement>('h2, input') ?? document.querySelector('h1'),
    )
}

function focusAbove(element: HTMLElement | null): void {
  if (!element) return
  // The tab key doesn’t stop at a heading.
  if (!element.matches('input')) element.tabIndex = -1
  element.focus({ preventScroll: true })
}

function firstOf(
  row: Element,
  way: 'nextElementSibling' | 'previousElementSibling',
  find: (row: Element) => HTMLElement | undefined,
): HTMLElement | null {
  for (let one = row[way]; one; one = one[way]) {
    const found = find(one)
    if (found) return found
  }
  return null
}
