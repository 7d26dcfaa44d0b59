import { Button, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { errors } from '../../../../contract/errors.ts'
import { parseMoney } from '../../../../contract/money.ts'
import { errorMessage } from '../../../lib/api.ts'
import { paths } from '../../../lib/paths.ts'
import { TextField } from '../../../ui/Field.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { MoneyInput } from '../../../ui/MoneyInput.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { TextLink } from '../../../ui/TextLink.tsx'
import { type Media, mediaQuery, useEditMedia } from '../api.ts'
import { AUDIENCES, type Audience, audienceWith, flagsOf } from '../edit/words.ts'
import { WallTile } from '../parts/WallTile.tsx'
import styles from './FinishedMedia.module.css'

/** The finished item with what most people want to say of it at once; the rest is on its edit page. */
export function FinishedMedia({
  mediaId,
  fileName,
  sells,
}: {
  mediaId: string
  fileName: string
  sells: boolean
}) {
  const media = useQuery({ ...mediaQuery(mediaId), staleTime: 60_000 })
  const navigate = useNavigate()
  if (media.isPending) return <Skeleton height="5rem" />
  if (media.isError) return <FormError>{errorMessage(media.error)}</FormError>
  return (
    <div className={styles.item}>
      <div className={styles.picture}>
        <WallTile
          media={media.data}
          onOpen={() => void navigate(paths.media(mediaId))}
          ratio={1}
          sizes="8rem"
        />
      </div>
      <QuickForm key={mediaId} media={media.data} fileName={fileName} sells={sells} />
    </div>
  )
}

function QuickForm({ media, fileName, sells }: { media: Media; fileName: string; sells: boolean }) {
  const edit = useEditMedia(media._id)
  const [saved, setSaved] = useState(() => ({
    title: media.title,
    price: media.price,
    audience: audienceWith(media),
  }))
  const [title, setTitle] = useState(saved.title)
  const [price, setPrice] = useState(saved.price)
  const [audience, setAudience] = useState<Audience | null>(saved.audience)
  const [checked, setChecked] = useState(false)
  const titleError = checked && title.trim() === '' ? errors.must_include_title.text : undefined
  const priceError =
    checked && audience === 'single' && parseMoney(price) === null
      ? errors.must_include_price.text
      : undefined

  const save = () => {
    setChecked(true)
    const priced = sells && audience === 'single'
    if (title.trim() === '' || (priced && parseMoney(price) === null)) return
    // The rest may have been changed elsewhere since.
    edit.mutate(
      {
        ...(title !== saved.title ? { title } : {}),
        ...(priced && parseMoney(price) !== parseMoney(saved.price) ? { price } : {}),
        ...(sells && audience && audience !== saved.audience ? flagsOf(audience) : {}),
      },
      { onSuccess: () => setSaved({ title, price: priced ? price : saved.price, audience }) },
    )
  }
  return (
    <form
      className={styles.form}
      noValidate
      aria-label={`About ${fileName}`}
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <TextField label="Title" value={title} onChange={setTitle} error={titleError} />
      {sells && (
        <NativeSelect
          label="Who can see it"
          size="md"
          value={audience ?? ''}
          onChange={(event) => {
            const found = AUDIENCES.find(({ value }) => value === event.currentTarget.value)
            if (found) setAudience(found.value)
          }}
          data={[
            ...(audience === null ? [{ value: '', label: 'As set on its own page' }] : []),
            ...AUDIENCES.map(({ value, label }) => ({ value, label })),
          ]}
        />
      )}
      {sells && audience === 'single' && (
        <MoneyInput label="Price" value={price} onChange={setPrice} error={priceError} />
      )}
      <div className={styles.actions}>
        <Button type="submit" size="sm" loading={edit.isPending}>
          Save
        </Button>
        <TextLink to={paths.editMedia(media._id)}>All settings</TextLink>
        <span className={styles.saved} role="status">
          {edit.isSuccess && 'Media Updated!'}
        </span>
      </div>
      <FormError>{edit.isError ? errorMessage(edit.error) : null}</FormError>
    </form>
  )
}
