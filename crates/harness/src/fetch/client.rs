//! HTTP: one request, and what its answer means for a file that is there in part.

use crate::data::{Download, is_trusted};
use std::time::Duration;
use ureq::http::{Response, StatusCode};
use ureq::{Agent, Body, BodyReader, ResponseExt as _};

/// To find and reach the server.
const CONNECT: Duration = Duration::from_secs(30);
/// Until the server begins to answer, and at most between two pieces of what it sends.
const SILENCE: Duration = Duration::from_mins(1);

/// Asks servers for files.
pub(super) struct Client(Agent);

/// What a server gives.
pub(super) struct Answer {
    /// Whether it is what comes after the bytes at hand; else the whole file.
    pub(super) continued: bool,
    /// The length of the whole file, where the server says it.
    pub(super) total: Option<u64>,
    /// What the server knows this version of the file by.
    pub(super) validator: Option<String>,
    /// The bytes.
    pub(super) body: BodyReader<'static>,
}

/// Why there is no answer, or why it ended early.
#[derive(Debug)]
pub(super) struct Trouble {
    pub(super) message: String,
    pub(super) then: Then,
}

/// What may help.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Then {
    /// Nothing.
    GiveUp,
    /// The same again, not before this time has passed.
    Again(Duration),
    /// To begin with the first byte.
    Anew,
}

impl Trouble {
    /// That may be gone at the next trial.
    pub(super) fn passing(message: String) -> Self {
        Self {
            message,
            then: Then::Again(Duration::ZERO),
        }
    }
}

impl Client {
    /// Through the proxy of the environment, if it names one.
    pub(super) fn new() -> Self {
        let agent = Agent::config_builder()
            .http_status_as_error(false)
            .timeout_resolve(Some(CONNECT))
            .timeout_connect(Some(CONNECT))
            .timeout_recv_response(Some(SILENCE))
            .timeout_per_read(Some(SILENCE))
            .save_redirect_history(true)
            .user_agent(concat!("robust-svm/", env!("CARGO_PKG_VERSION")))
            // Sums are of the file, not of what a server made of it on the way.
            .accept_encoding("identity")
            .build();
        Self(agent.into())
    }

    /// Asks for the file, or for what comes after its first bytes if these are of the version given.
    pub(super) fn get(
        &self,
        download: &Download,
        continues: Option<(u64, &str)>,
    ) -> Result<Answer, Trouble> {
        let mut request = self.0.get(&download.url);
        if let Some((from, validator)) = continues {
            request = request
                .header("Range", format!("bytes={from}-"))
                .header("If-Range", validator);
        }
        let encrypted = download.is_encrypted();
        let request = request.config().https_only(encrypted).build();
        let response = request.call().map_err(of_request)?;
        trusted(&response)?;
        match (response.status(), continues) {
            (StatusCode::OK, _) => whole(response),
            (StatusCode::PARTIAL_CONTENT, Some((from, validator))) => {
                rest(response, from, validator)
            }
            // Shorter than what is here: another file.
            (StatusCode::RANGE_NOT_SATISFIABLE, Some(_)) => Err(Trouble {
                message: "the file there is shorter than what came of it before".to_owned(),
                then: Then::Anew,
            }),
            (status, _) => Err(refused(status, &response)),
        }
    }
}

/// That no redirection led off this machine without encryption.
fn trusted(response: &Response<Body>) -> Result<(), Trouble> {
    let history = response.get_redirect_history().unwrap_or_default();
    let mut passed = history.iter().chain([response.get_uri()]);
    match passed.find(|uri| !is_trusted(&uri.to_string())) {
        None => Ok(()),
        Some(uri) => Err(Trouble {
            message: format!("redirected to {uri}, which is neither encrypted nor of this machine"),
            then: Then::GiveUp,
        }),
    }
}

/// The answer that is the whole file.
fn whole(response: Response<Body>) -> Result<Answer, Trouble> {
    if header(&response, "content-type").is_some_and(|kind| kind.starts_with("text/html")) {
        return Err(Trouble {
            message: "expected a data file, found a web page".to_owned(),
            then: Then::GiveUp,
        });
    }
    Ok(Answer {
        continued: false,
        total: response.body().content_length(),
        validator: validator(&response),
        body: response.into_body().into_reader(),
    })
}

/// The answer that goes on from the byte `from`; of another place or version it is of no use.
fn rest(response: Response<Body>, from: u64, expected: &str) -> Result<Answer, Trouble> {
    let range = header(&response, "content-range").and_then(content_range);
    let same = validator(&response).is_none_or(|found| found == expected);
    match range {
        Some((start, total)) if start == from && same => Ok(Answer {
            continued: true,
            total,
            validator: None,
            body: response.into_body().into_reader(),
        }),
        _ => Err(Trouble {
            message: format!("the server was asked to go on from byte {from} and did not"),
            then: Then::Anew,
        }),
    }
}

/// The first byte and the length of the whole in `bytes 100-199/200`, where `*` is a length unknown.
fn content_range(text: &str) -> Option<(u64, Option<u64>)> {
    let (range, total) = text.trim().strip_prefix("bytes ")?.split_once('/')?;
    let (start, _) = range.split_once('-')?;
    let total = match total {
        "*" => None,
        total => Some(total.parse().ok()?),
    };
    Some((start.parse().ok()?, total))
}

/// The entity tag if it tells versions apart to the byte, else the date of the last change.
fn validator(response: &Response<Body>) -> Option<String> {
    let tag = header(response, "etag").filter(|tag| !tag.starts_with("W/"));
    let validator = tag.or_else(|| header(response, "last-modified"))?;
    Some(validator.to_owned())
}

fn header<'a>(response: &'a Response<Body>, name: &str) -> Option<&'a str> {
    response.headers().get(name)?.to_str().ok()
}

/// The server answers and gives nothing.
fn refused(status: StatusCode, response: &Response<Body>) -> Trouble {
    let passing = status.is_server_error()
        || [StatusCode::REQUEST_TIMEOUT, StatusCode::TOO_MANY_REQUESTS].contains(&status);
    let pause = header(response, "retry-after").and_then(|text| text.parse().ok());
    let pause = Duration::from_secs(pause.unwrap_or(0)).min(SILENCE);
    Trouble {
        message: match status {
            StatusCode::NOT_FOUND | StatusCode::GONE => {
                format!("there is no such file on the server, which answers {status}")
            }
            _ => format!("the server answers {status}"),
        },
        then: if passing {
            Then::Again(pause)
        } else {
            Then::GiveUp
        },
    }
}

/// There is no answer.
fn of_request(error: ureq::Error) -> Trouble {
    let passing = matches!(
        error,
        ureq::Error::Io(_)
            | ureq::Error::Timeout(_)
            | ureq::Error::ConnectionFailed
            | ureq::Error::Protocol(_)
    );
    let message = match error {
        ureq::Error::HostNotFound => "the host is not found".to_owned(),
        ureq::Error::Io(error) => error.to_string(),
        error => error.to_string(),
    };
    Trouble {
        message,
        then: if passing {
            Then::Again(Duration::ZERO)
        } else {
            Then::GiveUp
        },
    }
}

#[cfg(test)]
mod tests {
    use super::content_range;

    #[test]
    fn ranges_are_read_as_servers_write_them() {
        assert_eq!(content_range("bytes 100-199/200"), Some((100, Some(200))));
        assert_eq!(content_range("bytes 7-9/*"), Some((7, None)));
        for bad in ["bytes */200", "100-199/200", "bytes a-9/10", "bytes 1-2/x"] {
            assert_eq!(content_range(bad), None, "{bad}");
        }
    }
}
