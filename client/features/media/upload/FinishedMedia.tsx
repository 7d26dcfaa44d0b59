import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { errors } from '../../../../contract/errors.ts'
import { parseMoney } from '../../../../contract/money.ts'
import { libraryRoutes } from '../../../../contract/routes/media/library.ts'
import { errorMessage } from '../../../lib/api.ts'
import { paths } from '../../../lib/paths.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { TextField } from '../../../ui/Field.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { ContractForm, useContractForm } from '../../../ui/forms/ContractForm.tsx'
import { MoneyInput } from '../../../ui/MoneyInput.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { TextLink } from '../../../ui/TextLink.tsx'
import { type Media, mediaQuery, useEditMedia } from '../api.ts'
import { AUDIENCES, audienceWith, flagsOf } from '../edit/words.ts'
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
  const form = useContractForm(libraryRoutes.editMedia, {
    initial: { title: media.title, price: media.price, audience: audienceWith(media) },
    // The rest may have been changed elsewhere since.
    body: ({ title, price, audience }, kept) => ({
      ...(title !== kept.title ? { title } : {}),
      ...(sells && audience === 'single' && parseMoney(price) !== parseMoney(kept.price) ? { price } : {}),
      ...(sells && audience && audience !== kept.audience ? flagsOf(audience) : {}),
    }),
    check: ({ title }) => (title.trim() === '' ? { title: errors.must_include_title.text } : {}),
    send: (change) => edit.mutateAsync(change),
    afterSaved: (_answer, sent, now) => ({
      saved: { ...sent, price: sent.audience === 'single' ? sent.price : media.price },
      values: now,
    }),
    lost: `What you typed for ${fileName} isn’t saved.`,
  })
  const { audience } = form.values
  return (
    <ContractForm form={form} className={styles.form} label={`About ${fileName}`}>
      <TextField label="Title" {...form.field('title')} />
      {sells && (
        <NativeSelect
          label="Who can see it"
          size="md"
          value={audience ?? ''}
          onChange={(event) => {
            const found = AUDIENCES.find(({ value }) => value === event.currentTarget.value)
            if (found) form.set('audience', found.value)
          }}
          data={[
            ...(audience === null ? [{ value: '', label: 'As set on its own page' }] : []),
            ...AUDIENCES.map(({ value, label }) => ({ value, label })),
          ]}
        />
      )}
      {sells && audience === 'single' && <MoneyInput label="Price" {...form.field('price')} />}
      <div className={styles.actions}>
        <Button type="submit" size="sm" loading={form.pending}>
          Save
        </Button>
        <TextLink to={paths.editMedia(media._id)}>All settings</TextLink>
        <span className={styles.saved} role="status">
          {form.answer && 'Media Updated!'}
        </span>
      </div>
      <FormError>{form.error}</FormError>
    </ContractForm>
  )
}
