import { Button, Textarea } from '@mantine/core'
import { useState } from 'react'
import { ApiError, errorMessage } from '../../../lib/api.ts'
import { paths } from '../../../lib/paths.ts'
import type { Person } from '../../../lib/session.tsx'
import { TextField } from '../../../ui/Field.tsx'
import { FieldPair, Form } from '../../../ui/Form.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { UnsavedChanges } from '../../../ui/UnsavedChanges.tsx'
import { type Prove, useEditProfile } from '../api.ts'
import styles from './editing.module.css'
import { LinksEditor } from './LinksEditor.tsx'
import { PictureField } from './PictureField.tsx'
import {
  completeAddress,
  errorsAtRows,
  filledLinks,
  type ProfileErrors,
  type ProfileForm,
  profileChanged,
  profileErrors,
  profileFormOf,
} from './profile-form.ts'

type Pictures = { profileImage: Blob | null; profileHeroImage: Blob | null }

const NO_PICTURES: Pictures = { profileImage: null, profileHeroImage: null }

/** Name, pictures, words and links of one's own profile (docs/product.md, Pages and Texts). Nothing typed is lost when it fails. */
export function EditProfile({ person, prove }: { person: Person; prove: Prove }) {
  const [form, setForm] = useState(() => profileFormOf(person))
  const [saved, setSaved] = useState(form)
  const [pictures, setPictures] = useState(NO_PICTURES)
  const [errors, setErrors] = useState<ProfileErrors>({})
  const [done, setDone] = useState(false)
  const edit = useEditProfile(prove)

  const set =
    <Name extends keyof ProfileForm>(name: Name) =>
    (value: ProfileForm[Name]) => {
      setForm((current) => ({ ...current, [name]: value }))
      setErrors((now) => Object.fromEntries(Object.entries(now).filter(([field]) => !field.startsWith(name))))
      setDone(false)
    }
  const field = <Name extends Exclude<keyof ProfileForm, 'links'>>(name: Name) => ({
    value: form[name],
    onChange: set(name),
    error: errors[name],
  })
  const words = <Name extends 'bio' | 'menu' | 'limits'>(name: Name) => ({
    value: form[name],
    error: errors[name] ?? null,
    onChange: (event: { currentTarget: HTMLTextAreaElement }) => set(name)(event.currentTarget.value),
    autosize: true,
    minRows: 3,
    maxRows: 12,
  })

  const submit = () => {
    const found = profileErrors(form)
    setErrors(found)
    if (Object.keys(found).length > 0) return
    const { links, menu, limits, ...details } = form
    const sent = filledLinks(links)
    const files = Object.fromEntries(
      Object.entries(pictures).flatMap(([name, picture]) => (picture ? [[name, picture]] : [])),
    )
    const rows = sent.map(({ text, link }) => ({ text, link: completeAddress(link) }))
    edit.mutate(
      {
        body: {
          id: person._id,
          ...details,
          ...(person.isCreator ? { menu, limits } : {}),
          links: JSON.stringify(rows),
        },
        files,
      },
      {
        onSuccess: () => {
          setDone(true)
          setPictures(NO_PICTURES)
          setForm((current) => ({ ...current, links: sent }))
          setSaved({ ...form, links: sent })
        },
        onError: (error) => error instanceof ApiError && setErrors(errorsAtRows(error.details, sent)),
      },
    )
  }

  return (
    <Form onSubmit={submit}>
      <PictureField
        kind="hero"
        current={person.profileHeroImage}
        name={person.username}
        chosen={pictures.profileHeroImage}
        onChosen={(picture) => setPictures((now) => ({ ...now, profileHeroImage: picture }))}
        error={errors.profileHeroImage}
      />
      <PictureField
        kind="avatar"
        current={person.profileImage}
        name={person.username}
        chosen={pictures.profileImage}
        onChosen={(picture) => setPictures((now) => ({ ...now, profileImage: picture }))}
        error={errors.profileImage}
      />
      <FieldPair>
        <TextField label="First name" autoComplete="given-name" required {...field('firstName')} />
        <TextField label="Last name (optional)" autoComplete="family-name" {...field('lastName')} />
      </FieldPair>
      <FieldPair>
        <TextField
          label="Username"
          autoComplete="username"
          required
          description="Part of your profile’s address."
          {...field('username')}
        />
        <TextField
          label="Forum username"
          prefix="/u/"
          required
          description="Only you see it."
          {...field('redditUsername')}
          onChange={(typed) => set('redditUsername')(typed.replace(/\s+/g, '').replace(/^\/?u\//i, ''))}
        />
      </FieldPair>
      <TextField
        label="Email"
        type="email"
        autoComplete="email"
        required
        description="We’ll send a link to a new email. It’s used once you open it."
        {...field('email')}
      />
      <Textarea label="Bio" {...words('bio')} />
      {person.isCreator && (
        <>
          <Textarea label="Menu" description="What you offer on request." {...words('menu')} />
          <Textarea label="Limits" description="What you do not do." {...words('limits')} />
        </>
      )}
      <LinksEditor links={form.links} errors={errors} onChange={set('links')} />
      <FormError>{edit.error ? errorMessage(edit.error) : null}</FormError>
      <div className={styles.save}>
        <Button type="submit" size="lg" loading={edit.isPending}>
          Save
        </Button>
        <LinkButton to={paths.profile(person.username)} variant="default" size="lg">
          See your profile
        </LinkButton>
      </div>
      <p role="status" className={styles.done}>
        {done && edit.data?.message}
        {done &&
          edit.data?.verifiedEmail === 'unverified' &&
          ' Please check your email to confirm the address.'}
      </p>
      <UnsavedChanges
        lost={
          profileChanged(form, saved) || Object.values(pictures).some(Boolean)
            ? 'What you changed in your profile isn’t saved.'
            : null
        }
      />
    </Form>
  )
}
