import { errors } from '../../../../contract/errors.ts'

/** What is missing from something that is to be sold (docs/product.md, Texts). `price` is money text, empty while unusable. */
export function sellingErrors({ title, price }: { title: string; price: string }): {
  title?: string
  price?: string
} {
  return {
    ...(title.trim() === '' ? { title: errors.must_include_title.text } : {}),
    ...(price === '' ? { price: errors.must_include_price.text } : {}),
  }
}
