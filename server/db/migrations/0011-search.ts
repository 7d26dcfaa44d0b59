import { type Kysely, sql } from 'kysely'

/** What search reads: a document for each item that may be found and each creator, and the words that they use. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- With the creator, so that rows of a feed are filtered without reading the item.
    drop index media_discover, media_tags_discover;
    create index media_discover on media (created_at desc, id desc) include (creator_id)
      where deleted_at is null and show_in_search and not must_unlock and not direct_only;
    create index media_tags_discover on media_tags (tag_id, created_at desc, media_id desc) include (creator_id)
      where discoverable;
    create index users_hidden on users (id) where hidden_at is not null;
    create index geo_blocks_place on geo_blocks (country, region, creator_id);

    -- Words of letters and digits, lower case, without accents: the same for what is stored and what is typed.
    create function search_text(raw text) returns text language sql immutable parallel safe return
      regexp_replace(
        lower(regexp_replace(normalize(raw, nfkd), '[\\u0300-\\u036f]', '', 'g') collate pg_c_utf8),
        '[^[:alnum:]]+' collate pg_c_utf8, ' ', 'g'
      );

    -- The word itself and each way to leave out one letter: two words share one of them when they are one typo apart.
    create function word_slips(word text) returns text[] language sql immutable parallel safe return
      array[word] || case when length(word) between 3 and 30 then array(
        select left(word, at - 1) || substr(word, at + 1) from generate_series(1, length(word)) as at
      ) end;

    create table search_words (
      word text collate "C" primary key,
      -- Documents that have it, counted by a job.
      uses integer not null default 1
    );
    create index search_words_slips on search_words using gin (word_slips(word));
    create index search_words_letters on search_words using gin (word gin_trgm_ops);
    -- A short prefix matches many words: the most used come first.
    create index search_words_1 on search_words (left(word, 1), uses desc);
    create index search_words_2 on search_words (left(word, 2), uses desc);
    create index search_words_3 on search_words (left(word, 3), uses desc);

    create table media_search (
      media_id uuid primary key references media (id) on delete cascade,
      creator_id uuid not null references users (id) on delete cascade,
      created_at timestamptz not null,
      document tsvector not null
    );
    create index media_search_words on media_search using gin (document);
    create index media_search_newest on media_search (created_at desc, media_id desc);
    create index media_search_creator on media_search (creator_id);

    create table creator_search (
      creator_id uuid primary key references users (id) on delete cascade,
      document tsvector not null
    );
    create index creator_search_words on creator_search using gin (document);

    create function creator_document(creator users) returns tsvector language sql stable return
      setweight(to_tsvector('simple', search_text(creator.username)), 'A')
        || setweight(to_tsvector('simple', search_text(creator.first_name)), 'B');

    -- The hidden description of a locked item isn't searchable either.
    create function media_document(item media) returns tsvector language sql stable return
      setweight(to_tsvector('simple', search_text(item.title)), 'A')
        || setweight(to_tsvector('simple', coalesce(
             (select search_text(string_agg(name, ' ')) from tags where id = any (item.tag_ids)), '')), 'B')
        || setweight(to_tsvector('simple', coalesce(
             (select search_text(username || ' ' || first_name) from users where id = item.creator_id), '')), 'C')
        || setweight(to_tsvector('simple',
             case when item.must_unlock and not item.show_in_store then '' else search_text(item.description) end), 'D');

    create function learn_words() returns trigger language plpgsql as $$
    begin
      -- In one order, so that two who learn the same words never wait for each other.
      insert into search_words (word)
      select lexeme from unnest(new.document) where length(lexeme) <= 40 order by lexeme collate "C"
      on conflict do nothing;
      return null;
    end $$;
    create trigger media_words after insert or update of document on media_search
      for each row execute function learn_words();
    create trigger creator_words after insert or update of document on creator_search
      for each row execute function learn_words();

    create function index_media_search() returns trigger language plpgsql as $$
    begin
      if new.deleted_at is not null or not new.show_in_search or new.direct_only then
        delete from media_search where media_id = new.id;
      else
        insert into media_search (media_id, creator_id, created_at, document)
        values (new.id, new.creator_id, new.created_at, media_document(new))
        on conflict (media_id) do update set document = excluded.document
          where media_search.document <> excluded.document;
      end if;
      return null;
    end $$;
    create trigger media_searchable after insert on media
      for each row when (new.show_in_search) execute function index_media_search();
    create trigger media_searched_anew
      after update of title, description, tag_ids, show_in_search, must_unlock, show_in_store, direct_only, deleted_at
      on media for each row when (new.show_in_search or old.show_in_search) execute function index_media_search();

    create function index_creator_search() returns trigger language plpgsql as $$
    begin
      if not new.is_creator or new.hidden_at is not null then
        delete from creator_search where creator_id = new.id;
        return null;
      end if;
      insert into creator_search (creator_id, document) values (new.id, creator_document(new))
      on conflict (creator_id) do update set document = excluded.document
        where creator_search.document <> excluded.document;
      if tg_op = 'UPDATE' and (new.username, new.first_name) is distinct from (old.username, old.first_name) then
        update media_search set document = media_document(media) from media
        where media_search.creator_id = new.id and media.id = media_search.media_id;
      end if;
      return null;
    end $$;
    create trigger creator_searchable after insert on users
      for each row when (new.is_creator) execute function index_creator_search();
    create trigger creator_searched_anew after update of username, first_name, is_creator, hidden_at on users
      for each row when (new.is_creator or old.is_creator) execute function index_creator_search();

    insert into creator_search (creator_id, document)
      select id, creator_document(users) from users where is_creator and hidden_at is null;
    insert into media_search (media_id, creator_id, created_at, document)
      select id, creator_id, created_at, media_document(media) from media
      where deleted_at is null and show_in_search and not direct_only;
  `.execute(db)
}
