//! Guests: players without a password.
//!
//! A guest has a name in the same name space as accounts and a session like any other. An account that a guest registers is
//! the same row. Guests expire after [`tochki_protocol::limits::GUEST_LIFETIME`]: one who has played nothing is deleted,
//! any other loses the name.

use super::{Accounts, Browser, SignedIn};
use crate::accounts::db;
use crate::{Error, pairing};

use crate::names::db::NameRow;
use crate::secrets::{Password, SessionToken};
use tochki_names::{Name, NameKey};
use tochki_protocol::{Account, Code, limits};

/// The words of suggested names in one language. Where words agree with each other, all have the same gender.
struct NameWords {
    /// The language, as a locale has it.
    language: &'static str,
    first: &'static [&'static str],
    second: &'static [&'static str],
    /// The texts between the words, and before the number.
    joints: [&'static str; 2],
}

/// The languages whose players get names of their own. English is the first, and that of all others.
const NAME_WORDS: [NameWords; 10] = [
    NameWords {
        language: "en",
        first: &[
            "Bold", "Brave", "Bright", "Brisk", "Calm", "Clever", "Eager", "Fair", "Gentle",
            "Happy", "Jolly", "Kind", "Lively", "Lucky", "Merry", "Mild", "Nimble", "Quick",
            "Quiet", "Sharp", "Steady", "Sunny", "Swift", "Witty",
        ],
        second: &[
            "Badger", "Beaver", "Crane", "Dolphin", "Falcon", "Finch", "Fox", "Hare", "Hedgehog",
            "Heron", "Ibis", "Kestrel", "Lark", "Lynx", "Magpie", "Marten", "Newt", "Otter", "Owl",
            "Puffin", "Raven", "Robin", "Sparrow", "Wren",
        ],
        joints: ["-", "-"],
    },
    NameWords {
        language: "ru",
        first: &[
            "Бодрый",
            "Быстрый",
            "Верный",
            "Весёлый",
            "Добрый",
            "Дружный",
            "Ловкий",
            "Мирный",
            "Мудрый",
            "Смелый",
            "Тихий",
            "Точный",
            "Умный",
            "Храбрый",
            "Чуткий",
            "Шустрый",
        ],
        second: &[
            "Барсук",
            "Бобр",
            "Волк",
            "Ворон",
            "Дрозд",
            "Заяц",
            "Зубр",
            "Кот",
            "Кулик",
            "Лис",
            "Лось",
            "Олень",
            "Пингвин",
            "Сокол",
            "Стриж",
            "Филин",
            "Хомяк",
            "Чиж",
        ],
        joints: ["-", "-"],
    },
    NameWords {
        language: "uk",
        first: &[
            "Бадьорий",
            "Вірний",
            "Веселий",
            "Добрий",
            "Дружній",
            "Жвавий",
            "Кмітливий",
            "Мирний",
            "Мудрий",
            "Сміливий",
            "Спритний",
            "Тихий",
            "Уважний",
            "Хоробрий",
            "Чуйний",
            "Швидкий",
        ],
        second: &[
            "Бобер",
            "Борсук",
            "Вовк",
            "Ворон",
            "Дрізд",
            "Заєць",
            "Зубр",
            "Їжак",
            "Кіт",
            "Кулик",
            "Лелека",
            "Лис",
            "Лось",
            "Олень",
            "Сокіл",
            "Шуліка",
            "Чиж",
            "Шпак",
        ],
        joints: ["-", "-"],
    },
    NameWords {
        language: "cs",
        first: &[
            "Bystrý",
            "Chytrý",
            "Hbitý",
            "Hodný",
            "Klidný",
            "Milý",
            "Moudrý",
            "Rychlý",
            "Smělý",
            "Šťastný",
            "Tichý",
            "Veselý",
            "Věrný",
            "Vtipný",
        ],
        second: &[
            "Bobr",
            "Čáp",
            "Datel",
            "Havran",
            "Holub",
            "Jelen",
            "Jezevec",
            "Kos",
            "Králík",
            "Lev",
            "Los",
            "Rys",
            "Sokol",
            "Tučňák",
            "Zajíc",
            "Zubr",
        ],
        joints: ["-", "-"],
    },
    NameWords {
        language: "pl",
        first: &[
            "Bystry", "Cichy", "Dobry", "Dzielny", "Miły", "Mądry", "Pilny", "Pogodny", "Sprytny",
            "Szybki", "Śmiały", "Wesoły", "Wierny", "Zwinny",
        ],
        second: &[
            "Bielik", "Bocian", "Borsuk", "Bóbr", "Dzik", "Jeleń", "Jeż", "Kos", "Kruk", "Królik",
            "Lis", "Ryś", "Sokół", "Wilk", "Zając", "Żubr",
        ],
        joints: ["-", "-"],
    },
    NameWords {
        language: "de",
        first: &[
            "Flinker", "Froher", "Heller", "Kluger", "Kühner", "Lieber", "Mutiger", "Netter",
            "Ruhiger", "Sanfter", "Schlauer", "Stiller", "Treuer", "Wacher",
        ],
        second: &[
            "Biber", "Dachs", "Falke", "Fink", "Fuchs", "Hase", "Igel", "Luchs", "Marder", "Otter",
            "Pinguin", "Rabe", "Reiher", "Specht", "Star", "Storch",
        ],
        joints: ["-", "-"],
    },
    NameWords {
        language: "es",
        first: &[
            "Búho",
            "Castor",
            "Ciervo",
            "Conejo",
            "Cuervo",
            "Delfín",
            "Erizo",
            "Gato",
            "Halcón",
            "Jilguero",
            "Lince",
            "Mirlo",
            "Pingüino",
            "Tejón",
            "Zorro",
        ],
        second: &[
            "Alegre", "Amable", "Astuto", "Audaz", "Bravo", "Feliz", "Fiel", "Hábil", "Listo",
            "Noble", "Sabio", "Sereno", "Veloz", "Vivaz",
        ],
        joints: ["-", "-"],
    },
    NameWords {
        language: "fr",
        first: &[
            "Blaireau", "Castor", "Cerf", "Chat", "Corbeau", "Dauphin", "Faucon", "Furet", "Hibou",
            "Lapin", "Lièvre", "Loup", "Lynx", "Merle", "Renard",
        ],
        second: &[
            "Agile", "Brave", "Calme", "Digne", "Fidèle", "Habile", "Honnête", "Joyeux", "Leste",
            "Malin", "Rapide", "Sage", "Tenace", "Vif",
        ],
        joints: ["-", "-"],
    },
    NameWords {
        language: "zh",
        first: &[
            "勇敢", "聪明", "快乐", "安静", "机智", "温和", "活泼", "敏捷", "从容", "友善", "冷静",
            "细心",
        ],
        second: &[
            "白鹤", "飞燕", "海豚", "黑熊", "狐狸", "花猫", "鲸鱼", "麻雀", "熊猫", "水獭", "松鼠",
            "喜鹊", "小鹿", "雄鹰",
        ],
        joints: ["", ""],
    },
    NameWords {
        language: "ja",
        first: &[
            "げんきな",
            "しずかな",
            "すばやい",
            "やさしい",
            "かしこい",
            "たのしい",
            "ゆかいな",
            "つよい",
            "まじめな",
            "おだやかな",
        ],
        second: &[
            "うさぎ",
            "かもめ",
            "からす",
            "きつね",
            "こぐま",
            "すずめ",
            "たぬき",
            "つばめ",
            "つる",
            "ねこ",
            "はやぶさ",
            "ふくろう",
            "りす",
            "いるか",
        ],
        joints: ["", ""],
    },
];

/// A random name in a language.
fn random_name(language: &str, random: &mut impl FnMut() -> u64) -> String {
    // `zh-Hans` is `zh` here.
    let language = language.split('-').next().unwrap_or_default();
    let words = NAME_WORDS.iter().find(|words| words.language == language);
    let NameWords {
        first,
        second,
        joints: [between, before_number],
        ..
    } = words.unwrap_or(&NAME_WORDS[0]);
    let mut one_of = |words: &[&'static str]| words[(random() % words.len() as u64) as usize];
    let (first, second) = (one_of(first), one_of(second));
    format!(
        "{first}{between}{second}{before_number}{}",
        10 + random() % 90
    )
}

impl Accounts {
    /// A name that nobody has, for a guest who has not chosen one, in this language if there are words of it.
    pub async fn suggest_name(
        &self,
        language: &str,
        random: &mut (impl FnMut() -> u64 + Send),
    ) -> Result<String, Error> {
        let mut name = random_name(language, random);
        for _ in 1..limits::GUEST_NAME_MAX_ATTEMPTS {
            let key = NameKey::of(&name);
            if db::by_name(&self.db, key.as_str()).await?.is_none() {
                break;
            }
            name = random_name(language, random);
        }
        Ok(name)
    }

    /// Creates a guest and a session.
    ///
    /// # Errors
    /// `address_closed`, `invalid_name`, `name_taken`, or `too_many_attempts`.
    pub async fn create_guest(&self, browser: &Browser, name: &str) -> Result<SignedIn, Error> {
        self.sanctions
            .check_new_name(browser.client.address)
            .await?;
        let name = Name::read(name)?;
        self.check_name_is_free(&name, None).await?;
        // Refused names do not count.
        self.attempts.create_guest(browser.client.address).await?;
        let mut tx = crate::db::begin(&self.db).await?;
        let account = db::guests::insert(&mut tx, &NameRow::of(&name)).await?;
        self.commit_new(tx, browser, account).await
    }

    /// Turns a guest into an account. The session stays with a new token, and so do the matches.
    ///
    /// # Errors
    /// `not_a_guest`, `invalid_name`, `invalid_password`, `name_taken`, or `too_many_attempts`.
    pub async fn register_guest_account(
        &self,
        browser: &Browser,
        guest: &Account,
        token: &SessionToken,
        name: &str,
        password: &str,
    ) -> Result<SignedIn, Error> {
        if !guest.guest {
            return Err(Code::NotAGuest.into());
        }
        let name = Name::read(name)?;
        let password = Password::read(password, name.as_str())?;
        self.check_name_is_free(&name, Some(guest.id)).await?;
        self.attempts.register(browser.client.address).await?;
        let hash = self.hashing.hash(password).await?;
        let mut tx = crate::db::begin(&self.db).await?;
        // Whatever starts a match takes this lock, too: it begins before this, or under the new name.
        pairing::db::players::lock_players(&mut tx, [guest.id; 2]).await?;
        let account = db::guests::convert(&mut tx, guest.id, &NameRow::of(&name), &hash)
            .await?
            .ok_or(Code::NotAGuest)?;
        tx.commit().await?;
        let session = SessionToken::generate();
        db::replace_token(&self.db, &token.digest(), &session.digest()).await?;
        Ok(SignedIn {
            device: Some(self.remember_device(browser, guest.id).await?),
            session,
            account,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_random_name_is_a_name() {
        for NameWords {
            language,
            first,
            second,
            ..
        } in &NAME_WORDS
        {
            for one in 0..first.len() as u64 {
                for other in 0..second.len() as u64 {
                    let mut numbers = [one, other, one + other].into_iter();
                    let name = random_name(language, &mut || numbers.next().unwrap());
                    assert!(Name::read(&name).is_ok(), "{name}");
                }
            }
        }
        for (language, expected) in [
            ("en", "Quiet-Heron-42"),
            ("eo", "Quiet-Heron-42"),
            ("zh-Hans", "活泼松鼠42"),
        ] {
            let mut numbers = [18, if expected.is_ascii() { 9 } else { 10 }, 32].into_iter();
            assert_eq!(
                random_name(language, &mut || numbers.next().unwrap()),
                expected
            );
        }
    }
}
